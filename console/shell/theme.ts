import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'winnow-theme';

/** The chosen theme. */
export const theme = signal<Theme>(readTheme());

/** Chooses a theme, also for later pages. */
export function applyTheme(chosen: Theme): void {
  theme.value = chosen;
  localStorage.setItem(KEY, chosen);
  document.documentElement.style.colorScheme = chosen === 'system' ? '' : chosen;
}

function readTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}
