import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

// A thread of its own: it waits for the disk, again and again. Others read and write meanwhile.
const database = new DatabaseSync(workerData)
// Without it, what is in the file might be on the disk before what is in the log.
database.exec('pragma synchronous = normal')

parentPort!.on('message', (asked: 'move' | 'end') => {
  if (asked === 'end') {
    database.close()
    return parentPort!.close()
  }
  database.exec('pragma wal_checkpoint(passive)')
  parentPort!.postMessage('moved')
})
