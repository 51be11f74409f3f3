package app
func (s *Store) Save(conversationID, text string) error {
	_, err := s.db.Exec("INSERT INTO messages (role, content) VALUES (?, ?)", "user", text)
	return err
}
