fn banner(name: &str) -> String {
    let mut out = String::new();
    out.push_str("hello ");
    out.push_str(name);
    out
}
