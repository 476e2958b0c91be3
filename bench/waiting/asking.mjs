/** A thread that asks for paths in turn over some connections, without pause, and tells how many answers there were. */
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { origin, paths, connections, headers } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
let asked = 0;
let answers = 0;

function ask() {
  const path = paths[asked++ % paths.length];
  const again = () => setImmediate(ask);
  get(origin + path, { agent, headers }, (answer) => {
    answer.resume();
    answer.once('end', () => {
      answers += 1;
      again();
    });
    answer.once('error', again);
  }).once('error', again);
}

for (let connection = 0; connection < connections; connection++) ask();
setInterval(() => parentPort.postMessage(answers), 100);
