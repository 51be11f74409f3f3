def chat(request):
    data = request.json
    asked = data["message"]
    files = data.get("files", [])
    for one in files:
        asked += f"\n\n== {one['name']} ==\n{one['content']}"  #: join
    return classify(asked)  #: call
