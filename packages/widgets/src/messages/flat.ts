/** The styles of messages in one column without bubbles; loaded if the user prefers them. */
import './flat.css'
