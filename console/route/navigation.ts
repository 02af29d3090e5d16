import { type ReadonlySignal, signal } from '@preact/signals';
import { EXPLORE, parseRoute, type Route, routeUrl } from './route.ts';

const current = signal<Route>(EXPLORE);

/** The route of the page's address. */
export const route: ReadonlySignal<Route> = current;

/** Follows the address of the page: the buttons "back" and "forward" too. */
export function startRouting(): void {
  const read = () => {
    current.value = parseRoute(location.pathname, location.search);
  };
  addEventListener('popstate', read);
  read();
}

/** Changes parts of the route. `replace` changes the newest entry of the history instead of adding one. */
export function navigate(change: Partial<Route>, { replace = false } = {}): void {
  const next = { ...current.value, ...change };
  const url = routeUrl(next);
  if (url === routeUrl(current.value)) return;
  if (replace) {
    history.replaceState(null, '', url);
  } else {
    history.pushState(null, '', url);
  }
  current.value = next;
}
