/** How messages look that stand in one column without bubbles; fetched by those who want them so. */
import './flat.css'
