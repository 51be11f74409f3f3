import { route } from "./router";

export function middleware(req, res, next) {
  req.body.message = req.body.message + "\n" + req.body.context; //: join
  req.tool = route(req.body.message); //: call
  next();
}
