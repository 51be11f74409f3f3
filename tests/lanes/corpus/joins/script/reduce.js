const router = require("./router");

exports.handle = (message, attachments) => {
  const full = attachments.reduce((text, attachment) => text + attachment.text, message); //: join
  return router.route(full); //: call instead=message
};
