from django.contrib import messages
def save(request, form):
    messages.success(request, f"Saved {form.name}")
    messages.add_message(request, messages.INFO, "Done")
