import { isListed } from '../../../domain/index.js';
import type { AppParts } from '../app-parts.js';
import { type Handle, textAnswer } from '../response/answer.js';
import { stateNumber, Text } from '../response/texts.js';
import { partAmong, partIn, partLinks, partsOf } from '../sites/list-parts.js';
import { plain } from '../sites/llms-txt.js';

/** `/llms.txt`: all projects, with the lists of pages of their latest versions. */
export function projectList({ useCases, texts, turns, at }: AppParts): Handle {
  return async (asked) => {
    const projects = await useCases.listProjects.execute(asked.visitor.seen());
    const wanted = partIn(asked.query);
    const make = async () => {
      await turns.next();
      const lines = projects
        .filter((project) => isListed({ project, version: project.latest }))
        .map(({ directoryName, title, description, latest }) => {
          const about = description === '' ? '' : `: ${plain(description)}`;
          return `- [${plain(title)} ${latest.label}](${at.inVersion(`${directoryName}-latest`, 'llms.txt')})${about}\n`;
        });
      const about =
        'Documentation in Markdown, of every version. Each project has a list of the pages of its latest version.';
      const others = `Lists of other versions are at ${at.to('/')}<project>-<version>/llms.txt.`;
      const head = `# Documentation\n\n> ${about}\n\n${others}\n\n## Projects\n\n`;
      const address = at.canonical({ path: '/llms.txt', onHost: false }) ?? at.to('/llms.txt');
      const parts = partsOf(lines, (line) => line.length, address, head.length);
      const part = partAmong(parts, wanted);
      const list = (parts[part - 1] ?? []).join('');
      return new Text(head + list + partLinks(address, part, parts.length), 'text/plain; charset=utf-8');
    };
    return textAnswer(await texts.get(`llms ${stateNumber(projects)} ${wanted}`, make));
  };
}
