export const Theme = ({ system }: Props) => {
  const systemTheme = system ? `dark-${system}` : 'light';
  return <div role="system" aria-label={`prompt ${system}`} className={systemTheme} />;
};
