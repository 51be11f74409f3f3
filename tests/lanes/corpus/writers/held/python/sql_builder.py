def query(table, filters):
    parts = ["SELECT * FROM " + table]
    instructions = 0
    for f in filters:
        parts.append("WHERE " + f)
        instructions += 1
    return " ".join(parts), instructions
