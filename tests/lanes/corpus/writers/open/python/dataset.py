import json
def export(rows, path):
    with open(path, "w") as out:
        for row in rows:
            out.write(json.dumps({"question": row.q, "answer": row.a, "system": row.kind}) + "\n")
