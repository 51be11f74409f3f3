const router = require("./router");
const choose = router.route;

module.exports = { handle };

function handle(message, excerpt) {
  const query = message + excerpt; //: join
  return choose(query); //: call instead=message
}
