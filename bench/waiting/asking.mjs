/** A thread that asks for paths in turn over some connections, without pause, and tells how many answers there were. */
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { origin, paths, bodies, connections, headers } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
let asked = 0;
let answers = 0;

function ask() {
  const path = paths[asked % paths.length];
  const body = bodies[asked % bodies.length];
  asked += 1;
  const again = () => setImmediate(ask);
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request(origin + path, { agent, headers, method }, (answer) => {
    answer.resume();
    answer.once('end', () => {
      answers += 1;
      again();
    });
    answer.once('error', again);
  });
  sent.once('error', again);
  sent.end(body);
}

for (let connection = 0; connection < connections; connection++) ask();
setInterval(() => parentPort.postMessage(answers), 100);
