/**
 * Ends this process, as SIGTERM would, when its launcher ends. The launcher is `bin/winnow.js` under a Node that is too
 * old. Without a launcher there is no channel, and the function does nothing.
 */
export function endWithLauncher(): void {
  if (process.channel === undefined) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel must not keep a finished command running.
  process.channel?.unref();
}
