/** `npm run costs`: writes what requests cost into the docs. `test/integration/costs.long.test.ts` compares. */
import { writeFile } from 'node:fs/promises';
import { readPages } from './pages.ts';

const { pages } = await readPages();
for (const { file, text, due } of pages) {
  console.log(`${file}: ${text === due ? 'as it is' : 'written'}`);
  if (text !== due) await writeFile(file, due);
}
