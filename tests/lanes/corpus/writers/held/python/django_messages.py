from django.contrib import messages
def save(request, form):
    messages.success(request, "Saved")
    messages.add_message(request, messages.INFO, "Hello")
    return form
