let deferredPrompt = null;
window.addEventListener('beforeinstallprompt', (e) => { deferredPrompt = e; });
export const install = () => deferredPrompt.prompt();
export const name = window.prompt('Name' + '?');
