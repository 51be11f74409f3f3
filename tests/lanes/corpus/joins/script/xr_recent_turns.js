module.exports = async function handler(req, res) {
  const { message } = req.body;
  const turns = await store.last(6);
  const recentContext = turns.map((one) => `${one.who}: ${one.text}`).join("\n");
  const whole = recentContext ? `Before:\n${recentContext}\n\nNow: ${message}` : message; //: join
  res.json(classify(whole)); //: call
};
