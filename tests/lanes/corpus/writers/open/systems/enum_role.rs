#[derive(Debug, Clone)]
pub enum Role { System, User, Assistant }
pub struct Message { pub role: Role, pub content: String }
impl Message {
    pub fn is_system(&self) -> bool { matches!(self.role, Role::System) }
}
