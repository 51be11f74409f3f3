use tokio::process::Command;
fn start(bin: &str, system_prompt: &str) -> Command {
    let mut command = Command::new(bin);
    command.arg("--append-system-prompt").arg(system_prompt); // <- site
    command
}
