import { GoogleGenerativeAI } from '@google/generative-ai';
export async function ask(genAI: GoogleGenerativeAI, rules: string, text: string) {
  const model = genAI.getGenerativeModel({ model: 'gemini', systemInstruction: rules }); // <- site
  return model.generateContent({ contents: [{ role: 'user', parts: [{ text }] }] }); // <- site
}
