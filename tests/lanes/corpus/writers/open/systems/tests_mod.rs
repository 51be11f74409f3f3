pub fn count(messages: &[Message]) -> usize { messages.len() }
#[cfg(test)]
mod tests {
    #[test]
    fn counts() {
        let messages = vec![Message { role: Role::User, content: "hi".into() }];
        assert_eq!(super::count(&messages), 1);
    }
}
