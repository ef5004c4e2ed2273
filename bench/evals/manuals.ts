import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A question and the texts of which the answer must contain at least one. */
type Asked = [question: string, ...any: string[]]

export interface Manual {
  site: string
  /** The folder with the pages. */
  folder: string
  /** Used while the rules for lists, rows, steps and programs were made. */
  seen: Asked[]
  /** Written after the rules, and used unchanged. */
  fresh: Asked[]
}

/** Questions about the manuals of two programs, with the command or fact that the answer needs. */
export const MANUALS: Manual[] = [
  {
    site: 'zola',
    folder: 'documentation',
    seen: [
      ['How do I install Zola on macOS?', 'brew install zola'],
      ['How do I install Zola on Arch Linux?', 'pacman -S zola'],
      ['How do I create a new site?', 'zola init'],
      ['How do I start the development server?', 'zola serve'],
      ['Which port does zola serve use?', '1111'],
      ['How do I change the port of the server?', '--port'],
      ['How do I enable syntax highlighting?', 'highlight_code'],
      ['How do I make a shortcode?', 'templates/shortcodes'],
      ['How do I resize an image?', 'resize_image('],
      ['What is the default quality of resized JPEG images?', '75'],
      ['How do I link to another page?', '@/'],
      ['How do I turn on the search index?', 'build_search_index'],
      ['How do I add a table of contents?', 'page.toc'],
      ['How do I deploy to Netlify?', 'netlify.toml', 'zola build'],
      ['How do I deploy to GitHub Pages?', 'uses:', 'Github Action'],
      ['How do I build with Docker?', 'docker run'],
      ['How do I use a theme?', 'theme =', 'git clone', 'theme variable'],
      ['How do I define taxonomies?', 'taxonomies = ['],
      ['How do I make drafts visible?', '--drafts'],
      ['Where do static files go?', 'static directory'],
      ['What does zola check do?', 'without writing'],
      ['How do I paginate a section?', 'paginate_by'],
    ],
    fresh: [
      ['How do I install Zola on Debian?', 'dpkg -i'],
      ['How do I install Zola on FreeBSD?', 'pkg install zola'],
      ['How do I install Zola on Windows?', 'winget', 'scoop', 'choco'],
      ['How do I install Zola on Void Linux?', 'xbps-install'],
      ['How do I install it with Flatpak?', 'flatpak install'],
      ['How do I build Zola from source?', 'cargo install'],
      ['How do I check which version is installed?', 'zola --version'],
      ['How do I build the site into another directory?', '--output-dir', 'output_dir'],
      ['How do I use a different config file?', '--config'],
      ['How do I open the site in the browser when serving?', '--open'],
      ['How do I serve the site with Docker?', 'serve --interface'],
      ['How do I install a theme?', 'git clone'],
      ['How do I override a block of a theme?', '{% extends', '{% block'],
      ['What does the check command do?', 'without writing'],
      ['How do I load data from a JSON file?', 'load_data('],
      ['How do I get the URL of a page in a template?', 'get_url('],
      ['How do I format a number?', 'num_format'],
      ['How do I encode a string as base64?', 'base64_encode'],
      ['What is the default output directory?', 'public'],
      ['What is the 404 template called?', '404.html'],
      ['How do I enable trailing slashes on Vercel?', 'trailingSlash'],
      ['How do I deploy to GitLab Pages?', 'gitlab-ci.yml'],
      ['Where do templates go?', 'templates'],
      ['How do I minify the HTML?', 'minify_html'],
    ],
  },
  {
    site: 'httpx',
    folder: '.',
    seen: [
      ['How do I install httpx?', 'pip install httpx'],
      ['How do I make a POST request with JSON?', 'json='],
      ['How do I set a timeout?', 'timeout=10.0'],
      ['What is the default timeout?', '5 seconds', 'five seconds'],
      ['How do I send custom headers?', 'headers=headers'],
      ['How do I stream a response?', '.stream('],
      ['How do I use a proxy?', 'proxy='],
      ['How do I enable HTTP/2?', 'http2=True', 'httpx[http2]'],
      ['How do I use async?', 'httpx.AsyncClient()'],
      ['How do I disable SSL verification?', 'verify=False'],
      ['How do I set cookies?', 'cookies.set', 'cookies='],
      ['Does HTTPX follow redirects by default?', 'not follow redirects'],
      ['What Python versions are supported?', 'Python 3.'],
      ['How do I upload a file?', 'files='],
      ['How do I use basic authentication?', 'BasicAuth'],
      ['How do I retry failed connections?', 'retries=1'],
      ['Which environment variables does httpx use?', 'SSL_CERT_FILE', 'HTTP_PROXY'],
    ],
    fresh: [
      ['How do I pass query parameters?', 'params='],
      ['How do I get the response as JSON?', '.json()'],
      ['How do I send form data?', 'data='],
      ['How do I check the status code?', 'status_code'],
      ['How do I send binary data?', 'content='],
      ['How do I raise an exception for an error status?', 'raise_for_status'],
      ['How do I mock requests?', 'MockTransport', 'RESPX', 'pytest-HTTPX', 'pytest_httpx'],
      ['How do I connect over a Unix socket?', 'uds='],
      ['How do I use a SOCKS proxy?', 'httpx[socks]', 'socks5'],
      ['How do I log requests?', 'logging.'],
      ['How do I run the tests?', 'scripts/test'],
      ['How do I build the docs?', 'scripts/docs'],
      ['How do I disable timeouts?', 'timeout=None'],
      ['How do I limit the number of connections?', 'max_connections', 'httpx.Limits'],
      ['How do I use a client certificate?', 'load_cert_chain'],
      ['How do I set a base URL?', 'base_url'],
      ['How do I install the command line client?', 'httpx[cli]'],
      ['How do I make an async request?', 'AsyncClient'],
      ['How do I use event hooks?', 'event_hooks'],
      ['What is the default maximum number of connections?', '100'],
      ['Which async environments are supported?', 'trio', 'Trio', 'asyncio', 'AsyncIO'],
      ['How do I ignore proxy settings of the environment?', 'trust_env=False'],
      ['How do I detect the character set automatically?', 'chardet'],
    ],
  },
]

export function readPages(data: string, { site, folder }: Manual) {
  const root = join(data, 'sites', site, 'www', folder)
  return globSync('**/*.html', { cwd: root })
    .toSorted()
    .map((path) => ({
      name: path.replaceAll('/', '-'),
      content: readFileSync(join(root, path), 'utf8'),
    }))
}
