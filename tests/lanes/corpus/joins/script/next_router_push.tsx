import { useRouter } from "next/navigation";
import { route } from "./router";

export function Search({ query, context }: Props) {
  const router = useRouter();
  const target = `/search?q=${query}&c=${context}`;
  const go = () => router.push(target);
  return <button onClick={go}>{route(query).name}</button>;
}
