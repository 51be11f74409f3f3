class Worker {
  constructor() { this.messages = []; this.history = []; }
  add(job) { this.messages.push(job); this.history.push({ at: Date.now(), job }); }
}
module.exports = Worker;
