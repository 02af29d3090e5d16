import { conflicts, hostPortsOf } from '../world/index.ts';
import type { FilterRule } from './rule.ts';

const REASONS = ["node(s) didn't have free ports for the requested pod ports"];

/** Refuses nodes on which a host port of the pod is in use at the same address. */
export const nodePorts: FilterRule = {
  name: 'NodePorts',
  prepare({ pod }) {
    const wanted = hostPortsOf(pod);
    if (wanted.length === 0) return undefined;
    return {
      refuse({ ports }, promised) {
        const taken = promised.flatMap((other) => other.ports);
        const isTaken = wanted.some(
          (port) => ports.conflictsWith(port) || taken.some((other) => conflicts(port, other)),
        );
        return isTaken ? REASONS : undefined;
      },
    };
  },
};
