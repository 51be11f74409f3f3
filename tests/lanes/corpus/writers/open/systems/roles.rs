enum Role { System, User }
struct Account { name: String, role: Role }
fn root() -> Account { Account { name: "root".into(), role: Role::System } }
