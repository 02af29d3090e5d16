import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../client.ts';
import { execute } from '../execute.ts';
import { attemptProgram } from '../program.ts';

interface Library {
  /** The folder beside this with the `pom.xml` and the program. */
  readonly name: string;
  readonly called: string;
  /** The program's class. */
  readonly main: string;
}

/** A library of Maven Central, used by a program beside its `pom.xml`. */
function libraryClient({ name, called, main }: Library): Client {
  const here = join(import.meta.dirname, name);
  const pom = join(here, 'pom.xml');
  return {
    name,
    title: `${called} ${versionIn(pom)}`,
    install: async (folder) => {
      const [jars, classes] = [join(folder, 'jars'), join(folder, 'classes')];
      const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${jars}`, '-DincludeScope=runtime'];
      await execute('mvn', ['-q', '-B', '-f', pom, ...copy]);
      const sources = [join(import.meta.dirname, 'Attempt.java'), join(here, `${main}.java`)];
      await execute('javac', ['-cp', `${jars}/*`, '-d', classes, ...sources]);
      return attemptProgram(['java', '-cp', `${jars}/*:${classes}`, main], folder);
    },
  };
}

/** That of the one dependency. */
function versionIn(pom: string): string {
  const [, version] = /<dependency>.*<version>([^<]+)</s.exec(readFileSync(pom, 'utf8')) ?? [];
  if (version === undefined) throw new Error(`${pom} asks for nothing`);
  return version;
}

export const fabric8 = libraryClient({ name: 'fabric8', called: 'fabric8 (Java)', main: 'Fabric8' });
export const clientJava = libraryClient({
  name: 'client-java',
  called: 'client-java (Java)',
  main: 'Official',
});
