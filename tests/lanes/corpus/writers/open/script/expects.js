export function check(build) {
  const messages = build('hi');
  expect(messages).toEqual([{ role: 'user', content: 'hi' }]);
  assert.deepEqual(messages[0], { role: 'system', content: 'x' });
}
