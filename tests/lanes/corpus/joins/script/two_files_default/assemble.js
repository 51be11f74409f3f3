module.exports = function assemble(message, pages) {
  const full = message + pages.join("\n"); //: join
  return { typed: message, full };
};
