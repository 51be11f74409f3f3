import { route } from "./router";

export function deliver(text: string, channel: string, from: string) {
  const wrapped = `<untrusted_channel_message channel="${channel}" from="${from}">\n${text}\n</untrusted_channel_message>`; //: join
  return route(wrapped); //: call instead=text
}
