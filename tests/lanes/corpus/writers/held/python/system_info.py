import platform
def banner():
    system = platform.system() + " " + platform.release()
    system_name = f"{system} ({platform.machine()})"
    return system_name
