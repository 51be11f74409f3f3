export const Menu = ({ items }: { items: string[] }) => (
  <ul role="menu">{items.map((i) => <li role="menuitem" key={i}>{i}</li>)}</ul>
);
export const props = { role: 'button', content: 'x' };
