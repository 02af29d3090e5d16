import type { HttpClient } from '../../support/service/http-client.ts';
import type { Hand } from './hand.ts';
import type { Task } from './tasks.ts';

/** The Winnow that all programs show. */
export interface World {
  readonly http: HttpClient;
  /** The path of a kubeconfig for it. */
  readonly kubeconfig: string;
  /** The number of pods. */
  readonly pods: number;
  /** The indexes of the pods that the selector of the tasks matches. */
  readonly found: readonly number[];
  /** The longest time to wait for a screen, in ms. */
  readonly patience: number;
  /** A folder that is removed afterwards. */
  readonly folder: string;
}

/** A program with its own process, which shows the list of all pods. */
export interface OpenProgram {
  /**
   * Each task goes to the list of all pods first, without the hand. Then it notes each input, and resolves once the
   * result is on the screen.
   */
  readonly tasks: Readonly<Record<Task, (hand: Hand) => Promise<void>>>;
  close(): Promise<void>;
}

export interface Program {
  /** With the version: `k9s 0.50.18`. */
  readonly name: string;
  /** Starts the program. Resolves once it shows the list of all pods. */
  open(world: World): Promise<OpenProgram>;
}

/** A program, or why it is not here. */
export type ProgramKind = Program | { readonly name: string; readonly missing: string };
