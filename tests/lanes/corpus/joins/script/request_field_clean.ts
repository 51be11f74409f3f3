import { route } from "./router";

export function middleware(req, res, next) {
  req.tool = route(req.body.message);
  req.body.message = req.body.message + "\n" + req.body.context;
  next();
}
