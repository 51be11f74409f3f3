import { create } from 'zustand';
export const useChat = create((set) => ({
  messages: [],
  add: (text: string) => set((s) => ({ messages: [...s.messages, { role: 'user', content: text }] })),
}));
