package app
func seed() []User {
	users := []User{{Name: "ann", Role: "user"}}
	users = append(users, User{Name: "root", Role: "system"})
	return users
}
