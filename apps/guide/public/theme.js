// Runs before anything is drawn, so that a page never flashes in the other colours. The console has the same choice.
const chosen = localStorage.getItem('docent.theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
