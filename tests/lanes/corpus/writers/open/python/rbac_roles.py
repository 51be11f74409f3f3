USERS = [
    {"name": "ann", "role": "system", "permissions": ["read"]},
    {"name": "bob", "role": "user", "permissions": []},
]
def grant(users, name):
    users.append({"name": name, "role": "user"})
