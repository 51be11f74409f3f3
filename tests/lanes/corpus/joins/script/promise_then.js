const { route } = require("./router");

exports.handle = (message, page) =>
  fetch(page)
    .then((response) => response.text())
    .then((body) => `${message}\n${body}`) //: join
    .then((query) => route(query)); //: call instead=message
