pub struct PromptManager { system_prompt_extras: Vec<String> }
impl PromptManager {
    pub fn add_system_prompt_extra(&mut self, instruction: String) {
        self.system_prompt_extras.push(instruction); // <- site
    }
    pub fn build(&self, base_prompt: String, extensions: &mut Vec<Extension>) -> String {
        extensions.push(Extension::new("frontend"));
        format!("{}\n\n# Additional Instructions:\n\n{}", base_prompt, self.system_prompt_extras.join("\n\n")) // <- site
    }
}
