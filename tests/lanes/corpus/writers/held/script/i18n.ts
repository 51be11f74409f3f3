import en from './en.json';
export const messages = { en, de: { hello: 'Hallo' } };
export const merge = (extra: object) => ({ ...messages, ...extra });
