import { route } from "./router";

export function Bubble({ message }: { message: string }) {
  const tool = route(message);
  return <Message text={message}>{tool.name}</Message>;
}
