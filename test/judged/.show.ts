import { readFileSync } from 'node:fs';
import { joined, markdownOf } from '/work/wt/agents/src/formats/html/index.js';
import { unpacked } from '/work/wt/agents/test/judged/unpack.js';

const [p, f, a, b] = process.argv.slice(2);
console.log(
  joined(markdownOf(readFileSync(await unpacked({ project: '', package: p!, path: f! }))).blocks).slice(
    +(a ?? 0),
    +(b ?? 3000),
  ),
);
