import type { Words } from './words.ts'

export const failures: Words['failures'] = {
  noSuchPage: '没有这个页面（{what}）。',
  asksPassword: '该网站要求密码（401），而本服务器没有。',
  forbidden: '该网站不允许本服务器读取此页面（403）。',
  askedTooOften: '该网站表示访问过于频繁（429）。',
  siteTrouble: '该网站自身出现故障（{what}）。',
  siteAnswered: '该网站返回了 {what}。',
  tookTooLong: '响应时间过长。',
  connectionFailed: '连接失败。',
  certificate: '该网站的证书无效（{what}）。',
  hostNotFound: '找不到主机名 {what}。',
  ownAddress: '它指向本服务器自身，本服务器不会读取自己的页面。',
  privateAddress:
    '它指向私有或特殊地址，本服务器不会读取。运营者可用 ALLOW_PRIVATE_HOSTS 允许某个主机。',
  redirects: '重定向超过 {what} 次。',
  leadsAway: '它指向该网站之外。',
  signIn:
    '它现在指向登录页面（{what}），本服务器无法通过。之前读取的内容会保留。请将文字作为文件添加，或请网站所有者重新开放该页面。',
  deadEnd:
    '它现在指向别处（{what}），从那个页面无法到达其他页面。之前读取的内容会保留。如果网站已搬迁，请改为添加它的新地址。',
  tooLarge: '大小超过 {what} MB。',
  robots:
    '该网站的 robots.txt 要求此类程序不要读取该页面。请将其文本作为文件添加，或请网站所有者在其中允许“Docent”。',
  noindex: '该页面要求不被收录（“noindex”）。请将其文本作为文件添加，或请网站所有者允许“Docent”。',
  contentType: '无法读取其内容（{what}）。',
  fileType: '无法读取此类文件。',
  noText: '其中没有文本。',
  needsScripts:
    '该页面在脚本运行之前是空的，而本服务器不运行脚本。请将其文本作为文件添加，或请运营者安装 Chromium。',
  pdfDamaged: '文件已损坏，无法作为 PDF 读取。请用 PDF 阅读器打开，另存或打印为新的 PDF 后上传。',
  locked: '文件受密码保护。请保存一份无密码的副本后上传。',
  scanned:
    '文件没有文本层：其页面是图片，例如扫描件。请进行文字识别（OCR）后上传结果，或请人在本服务器旁安装 tesseract。',
  damaged: '文件已损坏或不完整。请重新保存后再上传。',
  tooMuchText: '文本超过 {what} 百万个字符。请分成较小的部分再试。',
  readingTooLong: '读取时间过长。请分成较小的部分再试。',
  readingTooLarge: '读取所需内存过多。请分成较小的部分再试。',
  noTextOnSite: '该网站的页面上没有文本。',
  dnsSilent: '无法查询主机名 {what}，因为没有 DNS 服务器回应本服务器。',
  noWebPort: '端口 {what} 不是网页服务器的端口。',
  endless: '它从一页跳到另一页，没有尽头。',
  notRead: '无法读取。',
  emptyWithScripts: '该页面在脚本运行之后仍是空的。请将其文本作为文件添加。',
  scriptsTooLong: '该页面在脚本运行之前是空的，而脚本运行时间过长。请将其文本作为文件添加。',
  scriptsTooLarge: '该页面在脚本运行之前是空的，而脚本所需内存过多。请将其文本作为文件添加。',
  browserFailed:
    '该页面在脚本运行之前是空的，而本服务器的浏览器出现故障，运营者可在日志中找到原因。请将其文本作为文件添加。',
  nothingRecognised:
    '文件没有文本层：其页面是图片，且未能从中识别出文字。更清晰的扫描件或在 OCR_LANGUAGES 中增加语言可能有帮助。',
  notRecognised: '其页面是图片，而 tesseract 无法读取。OCR_LANGUAGES 中各语言的数据可能尚未安装。',
  tooManyScans: '没有文本层的图片页面超过 {what} 页。请分成较小的部分再试。',
  oldOffice:
    '该文件来自 2007 年以前的 Office。请另存为 .docx、.xlsx 或 .pptx 后上传，或请人在本服务器旁安装 LibreOffice。',
  notConverted: '无法转换。请另存为 .docx、.xlsx 或 .pptx 后上传。',
  copyProtected: '该电子书受版权保护（DRM），无法读取。',
  unpacksTooLarge: '文件解压后远大于其本身，因此未读取。',
  tooMuchForOne: '文本过多，超出一个来源的限度。请分成几部分再试。',
  notTakenIn: '无法收录。',
  neverEnded: '尝试 {what} 次都未能结束，已放弃。',
  noPage: '没有任何页面可以读取。第一个：{what}',
  tried: '已尝试 {what} 次。',
}
