import type { Answer, Ask, Finding } from './messages.ts';

/** Makes this process a worker: it answers what its parent asks, and says what CPU time that took. */
export function serve<Piece>(answer: (ask: Ask<Piece>) => Promise<Finding>): void {
  process.on('message', async (ask: Ask<Piece>) => {
    const began = process.cpuUsage();
    const finding = await answer(ask);
    const { user, system } = process.cpuUsage(began);
    const told: Answer = { ...finding, cpu: (user + system) / 1_000 };
    process.send?.(told);
  });
  process.send?.('ready');
}
