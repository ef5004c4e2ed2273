// Runs before the first paint, so that a page never flashes in the other theme. The console shares this setting.
const chosen = localStorage.getItem('docent.theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
