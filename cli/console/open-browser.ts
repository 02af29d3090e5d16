import { spawn } from 'node:child_process';

/** The command that opens a URL in the browser of the desktop; undefined without a desktop. */
export function browserCommand(platform: string, env: NodeJS.ProcessEnv): string | undefined {
  if (platform === 'darwin') return 'open';
  const hasDesktop = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  return platform === 'linux' && hasDesktop ? 'xdg-open' : undefined;
}

/** Opens a URL in the browser of the desktop, if there is one. Never fails: the user has the URL, too. */
export function openBrowser(url: string): void {
  const command = browserCommand(process.platform, process.env);
  if (command === undefined) return;
  const child = spawn(command, [url], { detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}
